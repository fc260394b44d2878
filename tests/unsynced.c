/* Writes down, in order, what a process does to the files of one folder: for a model of a cut of the power.
   gcc -shared -fPIC -o unsynced.so unsynced.c -ldl; UNSYNCED_FOLDER, UNSYNCED_LOG; loaded by LD_PRELOAD.
   A record: kind (w write, t truncate, s sync, u unlink), length of the path, offset, length, path, content. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int log_fd = -1;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("UNSYNCED_LOG");
  folder = getenv("UNSYNCED_FOLDER");
  if (path && folder) log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *bytes, size_t count) {
  const char *at = bytes;
  while (count > 0) {
    long done = syscall(SYS_write, log_fd, at, count);
    if (done <= 0) abort();
    at += done;
    count -= (size_t)done;
  }
}

static void note(char kind, const char *path, uint64_t offset, const void *bytes, uint64_t count) {
  struct { uint32_t kind, path; uint64_t offset, count; } head = {(uint32_t)kind, (uint32_t)strlen(path), offset, count};
  put(&head, sizeof head);
  put(path, head.path);
  if (bytes) put(bytes, count);
}

static int ours(int fd, char *path, size_t room) {
  char link[64];
  if (log_fd < 0 || fd == log_fd) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t count = readlink(link, path, room - 1);
  if (count <= 0) return 0;
  path[count] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

#define REAL(name) static __typeof__(name) *real; if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

static ssize_t put_at(ssize_t done, int fd, const void *bytes, off_t offset) {
  char path[4096];
  if (done > 0 && ours(fd, path, sizeof path)) note('w', path, (uint64_t)offset, bytes, (uint64_t)done);
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  REAL(pwrite);
  return put_at(real(fd, bytes, count, offset), fd, bytes, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  REAL(pwrite64);
  return put_at(real(fd, bytes, count, offset), fd, bytes, offset);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  off_t offset = lseek(fd, 0, SEEK_CUR);
  return put_at(real(fd, bytes, count), fd, bytes, offset < 0 ? 0 : offset);
}

static int cut(int done, int fd, off_t length) {
  char path[4096];
  if (done == 0 && ours(fd, path, sizeof path)) note('t', path, (uint64_t)length, NULL, 0);
  return done;
}

int ftruncate(int fd, off_t length) {
  REAL(ftruncate);
  return cut(real(fd, length), fd, length);
}

int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64);
  return cut(real(fd, length), fd, length);
}

static int synced(int done, int fd) {
  char path[4096];
  if (done == 0 && ours(fd, path, sizeof path)) note('s', path, 0, NULL, 0);
  return done;
}

int fsync(int fd) {
  REAL(fsync);
  return synced(real(fd), fd);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  return synced(real(fd), fd);
}

int unlink(const char *path) {
  REAL(unlink);
  int done = real(path);
  if (done == 0 && log_fd >= 0 && strncmp(path, folder, strlen(folder)) == 0) note('u', path, 0, NULL, 0);
  return done;
}
