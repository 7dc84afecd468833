/* Simulates a slower disk for one process. LD_PRELOAD loads this library, which delays every file sync by
   BENCH_SYNC_MICROS. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_first(void) {
  static long micros = -1;
  if (micros < 0) {
    const char *given = getenv("BENCH_SYNC_MICROS");
    micros = given ? atol(given) : 0;
  }
  struct timespec pause = {micros / 1000000, (micros % 1000000) * 1000};
  nanosleep(&pause, NULL);
}

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_first();
  return real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_first();
  return real(file);
}
