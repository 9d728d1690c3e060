// SPDX-License-Identifier: Apache-2.0
//
// Loaded before the C library, makes what a program writes fail as a disk, the
// system or another user would make it fail. MLI_FAULT says how:
//
//   full N    the disk has room for N bytes
//   kill N    the process is killed when it has written N bytes
//   rename N  rename fails when N files were renamed
//   halt N    the process is killed when N files were renamed
//   refuse    no file may be made

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Whether the fault is of this kind; `count` is its number.
static int isFault(const char *kind, long *count) {
  const char *fault = getenv("MLI_FAULT");
  size_t length = strlen(kind);
  if (!fault || strncmp(fault, kind, length) != 0)
    return 0;
  *count = strtol(fault + length, NULL, 10);
  return 1;
}

static int fail(int code) {
  errno = code;
  return -1;
}

ssize_t write(int fd, const void *buf, size_t n) {
  static long written = 0;
  long room = 0;
  int isFull = isFault("full ", &room), isKilled = isFault("kill ", &room);
  if (fd == STDERR_FILENO || (!isFull && !isKilled))
    return syscall(SYS_write, fd, buf, n);
  room -= written;
  if (room <= 0 && n > 0) {
    if (isKilled)
      kill(getpid(), SIGKILL);
    return fail(ENOSPC);
  }
  if (n > (size_t)room)
    n = (size_t)room;
  ssize_t done = syscall(SYS_write, fd, buf, n);
  if (done > 0)
    written += done;
  return done;
}

int rename(const char *old, const char *new) {
  static long renamed = 0;
  long most = 0;
  if (isFault("halt ", &most) && renamed == most)
    kill(getpid(), SIGKILL);
  if (isFault("rename ", &most) && renamed == most)
    return fail(EXDEV);
  ++renamed;
  return renameat(AT_FDCWD, old, AT_FDCWD, new);
}

static int openFile(const char *path, int flags, mode_t mode) {
  long unused = 0;
  if ((flags & O_CREAT) && isFault("refuse", &unused))
    return fail(EACCES);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *file, int oflag, ...) {
  va_list arguments;
  va_start(arguments, oflag);
  mode_t mode = oflag & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return openFile(file, oflag, mode);
}

int open64(const char *file, int oflag, ...) {
  va_list arguments;
  va_start(arguments, oflag);
  mode_t mode = oflag & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return openFile(file, oflag, mode);
}
