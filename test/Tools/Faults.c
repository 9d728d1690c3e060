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

#define _GNU_SOURCE
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
  *count = atol(fault + length);
  return 1;
}

static int fail(int code) {
  errno = code;
  return -1;
}

ssize_t write(int file, const void *bytes, size_t size) {
  static long written = 0;
  long room = 0;
  int isFull = isFault("full ", &room), isKilled = isFault("kill ", &room);
  if (file == STDERR_FILENO || (!isFull && !isKilled))
    return syscall(SYS_write, file, bytes, size);
  room -= written;
  if (room <= 0 && size > 0) {
    if (isKilled)
      kill(getpid(), SIGKILL);
    return fail(ENOSPC);
  }
  if (size > (size_t)room)
    size = (size_t)room;
  ssize_t done = syscall(SYS_write, file, bytes, size);
  if (done > 0)
    written += done;
  return done;
}

int rename(const char *from, const char *to) {
  static long renamed = 0;
  long most = 0;
  if (isFault("halt ", &most) && renamed == most)
    kill(getpid(), SIGKILL);
  if (isFault("rename ", &most) && renamed == most)
    return fail(EXDEV);
  ++renamed;
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static int openFile(const char *path, int flags, mode_t mode) {
  long unused = 0;
  if ((flags & O_CREAT) && isFault("refuse", &unused))
    return fail(EACCES);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return openFile(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return openFile(path, flags, mode);
}
