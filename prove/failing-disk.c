/*
 * LD_PRELOAD loads this library, which makes one of the process's disk calls fail. The library considers only calls
 * that write or sync the database or its WAL. The file named by FAILING_DISK selects the call that fails:
 *
 *   any <suffix>          the next sync of a file whose path ends with this suffix
 *   first <suffix>        like "any", but only a sync that covers a write to the beginning of the file
 *   sync <n>              the n-th sync from now on
 *   eio <n>, enospc <n>   the n-th write from now on, which writes nothing
 *   short <n>             the n-th write from now on, which writes only half of its bytes
 *   torn <n>              like "short", but the next write also fails, with ENOSPC
 *
 * After the failure, the library removes the file named by FAILING_DISK. It also creates a file with that name plus
 * .hit, which contains the path of the file whose call failed. A failed sync also undoes all writes to that file since
 * its last sync, as if the system had dropped the dirty pages. As on Linux, each open descriptor reports the failed
 * sync once.
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

/* True for each descriptor whose next sync must still report the failed sync. */
enum { MOST_FILES = 1024 };
static char is_owed[MOST_FILES];
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

static long calls;
static int is_torn;

static int read_fault(char *kind, char *about) {
  const char *name = getenv("FAILING_DISK");
  FILE *told = name ? fopen(name, "r") : NULL;
  int count = told ? fscanf(told, "%7s %255s", kind, about) : 0;
  if (told) fclose(told);
  if (count != 2) calls = 0;
  return count == 2;
}

static void tell_hit(const char *path) {
  const char *name = getenv("FAILING_DISK");
  char hit[4096];
  snprintf(hit, sizeof hit, "%s.hit", name);
  FILE *file = fopen(hit, "w");
  if (file) fputs(path, file), fclose(file);
  unlink(name);
  calls = 0;
}

static int is_nth(const char *about, const char *path) {
  if (++calls != atol(about)) return 0;
  tell_hit(path);
  return 1;
}

static ssize_t refuse(int code) {
  errno = code;
  return -1;
}

static int is_of_writes(const char *kind) {
  return !strcmp(kind, "eio") || !strcmp(kind, "enospc") || !strcmp(kind, "short") || !strcmp(kind, "torn");
}

static ssize_t may_write(const char *path, size_t size) {
  char kind[8] = "", about[256] = "";
  if (is_torn) {
    is_torn = 0;
    return refuse(ENOSPC);
  }
  if (!read_fault(kind, about) || !is_of_writes(kind) || !is_nth(about, path)) return size;
  if (strcmp(kind, "eio") == 0) return refuse(EIO);
  if (strcmp(kind, "enospc") == 0) return refuse(ENOSPC);
  is_torn = strcmp(kind, "torn") == 0;
  return size > 1 ? size / 2 : size;
}

static ssize_t note_and_write(int file, const void *bytes, size_t size, off_t offset) {
  char path[4096];
  if (!path_of(file, path, sizeof path)) return real_pwrite(file, bytes, size, offset);
  pthread_mutex_lock(&mutex);
  ssize_t written = may_write(path, size);
  if (written > 0) {
    change *noted = calloc(1, sizeof *noted + size);
    *noted = (change){changes, file, inode_of(file), offset, size};
    if (pread(file, noted->bytes, size, offset) < 0) noted->size = 0;
    changes = noted;
    written = real_pwrite(file, bytes, written, offset);
  }
  pthread_mutex_unlock(&mutex);
  return written;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return note_and_write(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset) {
  return note_and_write(file, bytes, size, offset);
}

/* Removes the noted changes of a file from the list. If `is_forgotten`, also undoes them in the file, newest first. */
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
  char kind[8] = "", about[256] = "";
  if (!read_fault(kind, about)) return 0;
  if (strcmp(kind, "sync") == 0) return is_nth(about, path);
  int is_first = strcmp(kind, "first") == 0;
  if ((!is_first && strcmp(kind, "any") != 0) || !ends_with(path, about)) return 0;
  int has_first = 0;
  for (change *noted = changes; noted; noted = noted->before) has_first |= noted->inode == inode && noted->offset == 0;
  if (is_first && !has_first) return 0;
  tell_hit(path);
  return 1;
}

static void owe_others(ino_t inode, int file) {
  for (int other = 0; other < MOST_FILES; other++)
    if (inode_of(other) == inode) is_owed[other] = other != file;
}

static int sync_or_fail(int file, int (*real)(int)) {
  char path[4096];
  if (!path_of(file, path, sizeof path)) return real(file);
  pthread_mutex_lock(&mutex);
  ino_t inode = inode_of(file);
  int is_told = file < MOST_FILES && is_owed[file], fails = !is_told && is_to_fail(path, inode);
  if (file < MOST_FILES) is_owed[file] = 0;
  if (fails) owe_others(inode, file);
  drop(inode, fails);
  pthread_mutex_unlock(&mutex);
  return is_told || fails ? refuse(EIO) : real(file);
}

int fsync(int file) { return sync_or_fail(file, real_fsync); }
int fdatasync(int file) { return sync_or_fail(file, real_fdatasync); }
