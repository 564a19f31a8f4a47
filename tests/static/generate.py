#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs for the analyser: structures, blocks of the heap, pointers to both and to functions, branches on
shared values, locks inside structures and outside, in arrays by index, conditions, helpers that several threads call,
threads that loops create and join.

    generate.py SEED        prints the program of that seed as C
"""
import random
import sys

FIELDS = ("a", "b", "c")


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.n_globals = self.rng.randint(1, 3)
        self.n_heap = self.rng.randint(1, 2)
        self.n_locks = self.rng.randint(1, 2)
        self.n_helpers = self.rng.randint(1, 3)
        self.n_threads = self.rng.randint(2, 3)

    def pointer(self):
        """An expression that points to a box."""
        kinds = [f"&global{self.rng.randrange(self.n_globals)}", f"heap{self.rng.randrange(self.n_heap)}", "chosen()",
                 "own", f"table[{self.rng.randrange(2)}]", "heap0->next ? heap0->next : &global0"]
        return self.rng.choice(kinds)

    def place(self):
        """Something that can be read and written."""
        kinds = [f"({self.pointer()})->{self.rng.choice(FIELDS)}", f"number{self.rng.randrange(2)}",
                 f"row[{self.rng.randrange(3)}]", f"row[number0 & 3]"]
        return self.rng.choice(kinds)

    def lock(self):
        if self.rng.random() < 0.4:
            return f"&({self.rng.choice(['own', 'heap0', '&global0'])})->lock"
        return f"&lock{self.rng.randrange(self.n_locks)}"

    def statement(self, depth, helpers):
        """Lines of C; what is locked is unlocked again."""
        kind = self.rng.randrange(11)
        if kind < 3:
            return [f"{self.place()} = {self.rng.randint(1, 5)};"]
        if kind < 5:
            return [f"local += {self.place()};"]
        if kind == 5:
            return [f"{self.place()}++;"]
        if kind == 6 and depth > 0:
            return [f"if ({self.place()} > {self.rng.randint(0, 2)}) {{", *self.block(depth - 1, helpers, 2), "}"]
        if kind == 7 and depth > 0:
            lock = self.lock()
            return [f"{{ pthread_mutex_t *held = {lock};", "pthread_mutex_lock(held);",
                    *self.block(depth - 1, helpers, 2), "pthread_mutex_unlock(held); }"]
        if kind == 8 and helpers:
            helper = self.rng.randrange(self.n_helpers)
            if self.rng.random() < 0.5:
                return [f"helper{helper}({self.pointer()});"]
            return [f"call[{self.rng.randrange(2)}]({self.pointer()});"]
        if kind == 9:
            return [self.rng.choice([f"heap0->next = {self.pointer()};", f"table[{self.rng.randrange(2)}] = {self.pointer()};",
                                     "pthread_cond_signal(&changed);",
                                     f"call[{self.rng.randrange(2)}] = helper{self.rng.randrange(self.n_helpers)};"])]
        if kind == 10 and depth > 0:
            return self.cell()
        return ["local++;"]

    def cell(self):
        """An element of an array under its own lock, or under that of another one."""
        which = self.rng.choice(["number0 & 1", "local & 1", "0", "1"])
        moved = self.rng.choice(["", "", "at = 1 - at;", "at = number1 & 1;"])
        return [f"{{ int at = {which}, was = at; pthread_mutex_lock(&cells[at].lock); {moved}",
                self.rng.choice(["cells[at].value++;", "local += cells[at].value;", "cells[was].value = local;"]),
                "pthread_mutex_unlock(&cells[was].lock); }"]

    def pool(self):
        """Threads that a loop creates, and one that joins all of them, or not quite."""
        join = "pthread_join(pool[i], NULL);"
        loop = self.rng.choice([f"for (int i = 0; i < 2; i++) {join}", f"for (int i = 0; i < 2; i++) {join}",
                                f"for (int i = 0; i < 1; i++) {join}", f"for (int i = 1; i < 2; i++) {join}",
                                f"for (int i = 0; i < 2; i++) {{ if (i == number1) break; {join} }}",
                                f"for (int i = 0; i < 2; i++) {{ if (number0 > 3) continue; {join} }}",
                                f"for (int i = 1; i >= 0; i--) {join}"])
        return ["pthread_t pool[2];", f"for (int i = 0; i < 2; i++) pthread_create(&pool[i], NULL, thread0, {self.pointer()});",
                *self.block(0, False, 1), loop, *self.block(0, False, 2)]

    def block(self, depth, helpers, most):
        lines = []
        for _ in range(self.rng.randint(1, most)):
            lines += self.statement(depth, helpers)
        return lines

    def text(self):
        out = ["/* SPDX-" "License-Identifier: MIT */", "#include <pthread.h>", "#include <stdlib.h>",
               "struct box { int a; pthread_mutex_t lock; int b; struct box *next; int c; };"]
        for i in range(self.n_globals):
            out.append(f"struct box global{i} = {{.lock = PTHREAD_MUTEX_INITIALIZER}};")
        for i in range(self.n_heap):
            out.append(f"struct box *heap{i};")
        for i in range(self.n_locks):
            out.append(f"pthread_mutex_t lock{i} = PTHREAD_MUTEX_INITIALIZER;")
        out += ["pthread_cond_t changed = PTHREAD_COND_INITIALIZER;", "int number0, number1, row[4];",
                "struct { pthread_mutex_t lock; int value; } cells[2] = {"
                "{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};",
                "struct box *table[2] = {&global0, &global0};",
                "struct box *chosen(void) { return number1 ? table[0] : heap0; }",
                "static struct box *make(void)", "{", "struct box *p = calloc(1, sizeof(*p));",
                "pthread_mutex_init(&p->lock, NULL);", "return p;", "}",
                "extern void (*call[2])(struct box *);"]
        out += [f"void helper{i}(struct box *own);" for i in range(self.n_helpers)]
        for i in range(self.n_helpers):
            out += [f"__attribute__((noinline)) void helper{i}(struct box *own)", "{", "int local = 0;",
                    *self.block(1, False, 3), "number1 += local & 1;", "}"]
        out.append("void (*call[2])(struct box *) = {helper0, helper0};")
        for i in range(self.n_threads):
            out += [f"void *thread{i}(void *arg)", "{", "struct box *own = arg;", "int local = 0;"]
            if self.rng.random() < 0.3:
                out.append("own = make();")
            out += [*self.block(2, True, 4), "return (void *)(long)local;", "}"]
        out += ["int main(void)", "{", f"pthread_t t[{self.n_threads}];", "struct box on_stack = {.lock = PTHREAD_MUTEX_INITIALIZER};",
                "struct box *own = &on_stack;", "int local = 0;"]
        out += [f"heap{i} = make();" for i in range(self.n_heap)]
        out += self.block(0, False, 2)
        if self.rng.random() < 0.3:
            out += self.pool()
        joined = self.rng.random() < 0.3
        for i in range(self.n_threads):
            out.append(f"pthread_create(&t[{i}], NULL, thread{i}, {self.pointer()});")
            if joined and i == 0:
                out += ["pthread_join(t[0], NULL);", *self.block(0, False, 1)]
            elif self.rng.random() < 0.5:
                out += self.block(0, True, 1)
        out += [f"pthread_join(t[{i}], NULL);" for i in range(1 if joined else 0, self.n_threads)]
        out += [*self.block(0, False, 1), "return local & 0;", "}"]
        return "\n".join(out) + "\n"


if __name__ == "__main__":
    print(Program(int(sys.argv[1])).text(), end="")
