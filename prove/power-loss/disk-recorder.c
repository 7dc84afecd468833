/*
 * LD_PRELOAD loads this library, which records what the process does to files in the folder named by RECORDED_FOLDER,
 * and everything that it sends over sockets. The recording is the file named by DISK_RECORDING.
 *
 * A record is a header, the name of the file (empty for the folder itself), and bytes. One lock covers a call and its
 * record, so that the records are in the order of the calls. Data is recorded before it is sent.
 *
 * The runtime creates some files with direct system calls, which this library cannot see. The recording may therefore
 * lack a file's creation. Every successful open with O_CREAT is recorded as a creation, even if the file already
 * existed. A sync has two records, because other threads may write in between. A sync waits for SYNC_MICROS and does
 * not touch the real disk, because only the recording matters. The index of the WAL (-shm) is not recorded, because the
 * service never trusts it at startup.
 *
 * When the file named by KILLED_BY appears, the process takes the lock and kills itself. A kill from outside could come
 * between a call and its record, and the recording would differ from the disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { STARTED, CREATED, WRITTEN, RESIZED, SYNC_BEGUN, SYNC_ENDED, RENAMED, REMOVED, SENT };

typedef struct {
  uint32_t kind, name_bytes;
  /* The offset of a write, the new size, or the number of a sync. */
  uint64_t number;
  uint64_t bytes;
} header;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int recording = -1;
static char folder[PATH_MAX];
static size_t folder_bytes;
static uint64_t syncs;

static void record(uint32_t kind, const char *name, uint64_t number, const void *data, uint64_t bytes) {
  header head = {kind, strlen(name), number, bytes};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)name, head.name_bytes}, {(void *)data, bytes}};
  ssize_t whole = sizeof head + head.name_bytes + bytes;
  if (syscall(SYS_writev, recording, parts, 3) != whole) abort();
}

static void *kill_when_asked(void *file) {
  const struct timespec pause = {0, 1000 * 1000};
  while (access(file, F_OK) != 0) nanosleep(&pause, NULL);
  pthread_mutex_lock(&mutex);
  kill(getpid(), SIGKILL);
  return NULL;
}

__attribute__((constructor)) static void start(void) {
  const char *file = getenv("DISK_RECORDING"), *place = getenv("RECORDED_FOLDER");
  if (!file || !place || !realpath(place, folder)) return;
  folder_bytes = strlen(folder);
  recording = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (recording < 0) abort();
  /* Marks the end of the previous process, whose pending syncs never completed. */
  record(STARTED, "", getpid(), NULL, 0);
  pthread_t watcher;
  char *killed_by = getenv("KILLED_BY");
  if (killed_by && pthread_create(&watcher, NULL, kill_when_asked, killed_by) != 0) abort();
}

static int ends_with(const char *path, const char *end) {
  size_t length = strlen(path), wanted = strlen(end);
  return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

static const char *name_of(const char *path) {
  if (recording < 0 || strncmp(path, folder, folder_bytes) != 0) return NULL;
  const char *rest = path + folder_bytes;
  if (*rest == 0) return rest;
  if (*rest != '/' || strchr(rest + 1, '/')) return NULL;
  return ends_with(rest, "-shm") || ends_with(rest, " (deleted)") ? NULL : rest + 1;
}

static const char *name_of_file(int file, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = recording < 0 ? -1 : readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return length < 0 ? NULL : name_of(path);
}

/* Returns the name of a file in the recorded folder. `given` may be a relative path. The file may be missing. */
static const char *name_of_path(const char *given, char *path) {
  char parent[PATH_MAX];
  const char *last = strrchr(given, '/');
  snprintf(parent, sizeof parent, "%.*s", last ? (int)(last - given) : 1, last ? given : ".");
  if (recording < 0 || !realpath(*parent ? parent : "/", path)) return NULL;
  size_t length = strlen(path);
  snprintf(path + length, PATH_MAX - length, "/%s", last ? last + 1 : given);
  return name_of(path);
}

static int open_recorded(int at, const char *given, int flags, mode_t mode) {
  char path[PATH_MAX];
  const char *name = flags & (O_CREAT | O_TRUNC) ? name_of_path(given, path) : NULL;
  if (!name) return syscall(SYS_openat, at, given, flags, mode);
  pthread_mutex_lock(&mutex);
  int file = syscall(SYS_openat, at, given, flags, mode);
  int code = errno;
  if (file >= 0 && flags & O_CREAT) record(CREATED, name, 0, NULL, 0);
  if (file >= 0 && flags & O_TRUNC) record(RESIZED, name, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  errno = code;
  return file;
}

#define MODE_OF(flags)                         \
  mode_t mode = 0;                             \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {     \
    va_list rest;                              \
    va_start(rest, flags);                     \
    mode = va_arg(rest, mode_t);               \
    va_end(rest);                              \
  }

int open(const char *path, int flags, ...) { MODE_OF(flags) return open_recorded(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags) return open_recorded(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE_OF(flags) return open_recorded(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE_OF(flags) return open_recorded(at, path, flags, mode); }

static ssize_t write_recorded(int file, const void *bytes, size_t size, off_t offset) {
  char path[PATH_MAX];
  const char *name = name_of_file(file, path);
  if (!name) return syscall(SYS_pwrite64, file, bytes, size, offset);
  pthread_mutex_lock(&mutex);
  ssize_t written = syscall(SYS_pwrite64, file, bytes, size, offset);
  int code = errno;
  if (written > 0) record(WRITTEN, name, offset, bytes, written);
  pthread_mutex_unlock(&mutex);
  errno = code;
  return written;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return write_recorded(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset) {
  return write_recorded(file, bytes, size, offset);
}

static int resize_recorded(int file, off_t size) {
  char path[PATH_MAX];
  const char *name = name_of_file(file, path);
  if (!name) return syscall(SYS_ftruncate, file, size);
  pthread_mutex_lock(&mutex);
  int done = syscall(SYS_ftruncate, file, size);
  int code = errno;
  if (done == 0) record(RESIZED, name, size, NULL, 0);
  pthread_mutex_unlock(&mutex);
  errno = code;
  return done;
}

int ftruncate(int file, off_t size) { return resize_recorded(file, size); }
int ftruncate64(int file, off_t size) { return resize_recorded(file, size); }

static int sync_recorded(int file, long call) {
  char path[PATH_MAX];
  const char *name = name_of_file(file, path), *micros = getenv("SYNC_MICROS");
  if (!name) return syscall(call, file);
  pthread_mutex_lock(&mutex);
  uint64_t number = ++syncs;
  record(SYNC_BEGUN, name, number, NULL, 0);
  pthread_mutex_unlock(&mutex);
  struct timespec pause = {0, 1000 * (micros ? atol(micros) : 0)};
  nanosleep(&pause, NULL);
  pthread_mutex_lock(&mutex);
  record(SYNC_ENDED, name, number, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int fsync(int file) { return sync_recorded(file, SYS_fsync); }
int fdatasync(int file) { return sync_recorded(file, SYS_fdatasync); }

static int remove_recorded(int at, const char *given, int flags) {
  char path[PATH_MAX];
  const char *name = name_of_path(given, path);
  if (!name) return syscall(SYS_unlinkat, at, given, flags);
  pthread_mutex_lock(&mutex);
  int done = syscall(SYS_unlinkat, at, given, flags);
  int code = errno;
  if (done == 0) record(REMOVED, name, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  errno = code;
  return done;
}

int unlink(const char *path) { return remove_recorded(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return remove_recorded(at, path, flags); }

static int rename_recorded(int at, const char *from, int to_at, const char *to) {
  char path[PATH_MAX], new_path[PATH_MAX];
  const char *name = name_of_path(from, path), *new_name = name_of_path(to, new_path);
  if (!name || !new_name) return syscall(SYS_renameat2, at, from, to_at, to, 0);
  pthread_mutex_lock(&mutex);
  int done = syscall(SYS_renameat2, at, from, to_at, to, 0);
  int code = errno;
  if (done == 0) record(RENAMED, name, 0, new_name, strlen(new_name));
  pthread_mutex_unlock(&mutex);
  errno = code;
  return done;
}

int rename(const char *from, const char *to) { return rename_recorded(AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int at, const char *from, int to_at, const char *to) { return rename_recorded(at, from, to_at, to); }

static void note_sent(const void *bytes, size_t size) {
  if (recording < 0) return;
  pthread_mutex_lock(&mutex);
  record(SENT, "", 0, bytes, size);
  pthread_mutex_unlock(&mutex);
}

ssize_t send(int socket, const void *bytes, size_t size, int flags) {
  note_sent(bytes, size);
  return syscall(SYS_sendto, socket, bytes, size, flags, NULL, 0);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  for (size_t part = 0; part < message->msg_iovlen; part++)
    note_sent(message->msg_iov[part].iov_base, message->msg_iov[part].iov_len);
  return syscall(SYS_sendmsg, socket, message, flags);
}
