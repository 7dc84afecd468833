/*
 * A disk that fails one sync, for one process, by LD_PRELOAD. What was written to the database or its log since their
 * last sync is forgotten then, as by a system that could not write it and has dropped it from memory: what can be read is
 * what was there before. Which sync fails is said in the file named by FAILING_DISK: "any <end of a path>", or "first
 * <end of a path>" for one by which the beginning of the file is brought to the disk. The file is removed when it has.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct change {
  struct change *before;
  int file;
  ino_t inode;
  off_t offset;
  size_t size;
  char bytes[];
} change;

static change *changes;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

__attribute__((constructor)) static void find_real(void) {
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
}

static int ends_with(const char *path, const char *end) {
  size_t length = strlen(path), wanted = strlen(end);
  return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

static int path_of(int file, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, size - 1);
  path[length < 0 ? 0 : length] = 0;
  return ends_with(path, ".db") || ends_with(path, ".db-wal");
}

static ino_t inode_of(int file) {
  struct stat found;
  return fstat(file, &found) == 0 ? found.st_ino : 0;
}

static ssize_t note_and_write(int file, const void *bytes, size_t size, off_t offset) {
  char path[4096];
  if (!path_of(file, path, sizeof path)) return real_pwrite(file, bytes, size, offset);
  pthread_mutex_lock(&mutex);
  change *noted = calloc(1, sizeof *noted + size);
  *noted = (change){changes, file, inode_of(file), offset, size};
  if (pread(file, noted->bytes, size, offset) < 0) noted->size = 0;
  changes = noted;
  ssize_t written = real_pwrite(file, bytes, size, offset);
  pthread_mutex_unlock(&mutex);
  return written;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return note_and_write(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset) {
  return note_and_write(file, bytes, size, offset);
}

/* Drops what was noted of a file, and undoes it where it is to be forgotten: the last change first. */
static void drop(ino_t inode, int is_forgotten) {
  for (change **at = &changes; *at;) {
    change *noted = *at;
    if (noted->inode != inode) {
      at = &noted->before;
      continue;
    }
    if (is_forgotten) real_pwrite(noted->file, noted->bytes, noted->size, noted->offset);
    *at = noted->before;
    free(noted);
  }
}

static int is_to_fail(const char *path, ino_t inode) {
  const char *name = getenv("FAILING_DISK");
  char which[8] = "", end[256] = "";
  FILE *told = name ? fopen(name, "r") : NULL;
  if (!told) return 0;
  int count = fscanf(told, "%7s %255s", which, end);
  fclose(told);
  if (count != 2 || !ends_with(path, end)) return 0;
  int is_first = 0;
  for (change *noted = changes; noted; noted = noted->before) is_first |= noted->inode == inode && noted->offset == 0;
  if (strcmp(which, "first") == 0 && !is_first) return 0;
  unlink(name);
  return 1;
}

static int sync_or_fail(int file, int (*real)(int)) {
  char path[4096];
  if (!path_of(file, path, sizeof path)) return real(file);
  pthread_mutex_lock(&mutex);
  ino_t inode = inode_of(file);
  int fails = is_to_fail(path, inode);
  drop(inode, fails);
  pthread_mutex_unlock(&mutex);
  if (!fails) return real(file);
  errno = EIO;
  return -1;
}

int fsync(int file) { return sync_or_fail(file, real_fsync); }
int fdatasync(int file) { return sync_or_fail(file, real_fdatasync); }
