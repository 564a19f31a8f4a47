# SPDX-License-Identifier: MIT
"""More features of random programs (call_blocks.py): System V, children, servers, futexes whose waiters move."""

from call_blocks import Feature

FEATURES = {
    "semaphores": Feature(
        objects="static int @vs;",
        setup="@vs = make_semaphore($b);",
        final="SEE(semctl(@vs, 0, GETVAL)); semctl(@vs, 0, IPC_RMID);",
        supply=(r"add_to_semaphore\(number\(&@vs\), -(\d), 0", r"add_to_semaphore\(number\(&@vs\), (\d), 0",
                "MUST(add_to_semaphore(@vs, $s, 0) == 0);"),
        blocks=[
            (3, "SEE(add_to_semaphore(number(&@vs), $n, 0));"),
            (3, "SEE(add_to_semaphore(number(&@vs), -$n, 0));"),
            (2, "SEE(add_to_semaphore(number(&@vs), -$n, IPC_NOWAIT));"),
            (1, "SEE(add_to_semaphore(number(&@vs), 0, IPC_NOWAIT));"),
            (1, "SEE(code(semctl(number(&@vs), 0, GETVAL)));"),
            (1, "SEE(code(semctl(number(&@vs), 0, SETVAL, $n)));"),
        ],
    ),
    "letters": Feature(
        objects="static int @vq;",
        setup="@vq = make_letters();",
        final="SEE(take_letter(@vq, 0, IPC_NOWAIT)); msgctl(@vq, IPC_RMID, NULL);",
        supply=(r"take_letter\(number\(&@vq\), 0, 0\)()", r"send_letter\(()",
                "for (int i = 0; i < $s; i++) send_letter(@vq, 1, 'a');"),
        blocks=[
            (3, "SEE(send_letter(number(&@vq), $n, '$c'));"),
            (3, "SEE(take_letter(number(&@vq), 0, 0));"),
            (2, "SEE(take_letter(number(&@vq), 0, IPC_NOWAIT));"),
            (1, "SEE(take_letter(number(&@vq), $n, IPC_NOWAIT));"),
        ],
    ),
    "attached": Feature(
        objects="static atomic_int *@aa, *@ab;",
        setup="attach_twice(&@aa, &@ab);",
        final="SEE(*@aa);",
        blocks=[
            (2, "SEE(atomic_load(word(&@aa)));"),
            (2, "SEE(atomic_fetch_add(word(&@ab), $n));"),
            (1, "atomic_store(word(&@aa), $n);"),
        ],
    ),
    "children": Feature(
        blocks=[
            (3, "{\npid_t child = fork();\nif (child == 0)\n_exit(atomic_load(&@x[$b].value) & 7);\nSEE(status_of(child));\n}"),
            (1, "{\npid_t child = fork();\nif (child == 0)\n_exit(atomic_load(&@x[$b].value) & 7);\n...\nSEE(status_of(child));\n}"),
            (2, "atomic_fetch_add(&@x[$b].value, $n);"),
        ],
        large=True,
    ),
    "server": Feature(
        objects="static int @sv;",
        setup="@sv = make_listener();",
        supply=(r"serve\(()", r"connected\(()", "for (int i = 0; i < $s; i++) put(connected(@sv), 'a', 1);"),
        blocks=[
            (3, "{\nint fd = connected(number(&@sv));\nSEE(put(fd, '$c', 1));\n...\nclose(fd);\n}"),
            (3, "SEE(serve(number(&@sv)));"),
            (1, "SEE(ready(number(&@sv), 0));"),
        ],
        large=True,
    ),
    "requeue": Feature(
        objects="static struct cell @ra, @rb;",
        blocks=[
            (2, "SEE(futex(&@ra.value, FUTEX_WAIT_PRIVATE, $b, NULL));"),
            (2, "SEE(futex(&@ra.value, FUTEX_WAIT_PRIVATE, $b, &(struct timespec){.tv_nsec = 300000}));"),
            (1, "SEE(futex(&@rb.value, FUTEX_WAIT_PRIVATE, $b, &(struct timespec){.tv_nsec = 300000}));"),
            (2, "SEE(requeue(&@ra.value, &@rb.value, $b, $n));"),
            (2, "SEE(compare_and_requeue(&@ra.value, &@rb.value, $n, $b));"),
            (2, "SEE(futex(&@rb.value, FUTEX_WAKE_PRIVATE, $n, NULL));"),
            (1, "SEE(futex(&@ra.value, FUTEX_WAKE_PRIVATE, $n, NULL));"),
            (1, "atomic_store(&@ra.value, $b);"),
        ],
    ),
}
