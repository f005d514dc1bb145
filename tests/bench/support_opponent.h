/* A program that is asked by lines and answers with times. */
#ifndef NETCL_BENCH_SUPPORT_OPPONENT_H
#define NETCL_BENCH_SUPPORT_OPPONENT_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *to_opponent, *from_opponent; /* NULL: there is none */

static inline void start_opponent(char** command) {
  int questions[2], answers[2];
  if (pipe(questions) != 0 || pipe(answers) != 0) exit(1);
  if (fork() == 0) {
    dup2(questions[0], 0);
    dup2(answers[1], 1);
    close(questions[1]);
    close(answers[0]);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  close(questions[0]);
  close(answers[1]);
  to_opponent = fdopen(questions[1], "w");
  from_opponent = fdopen(answers[0], "r");
}

#endif
