/* SPDX-License-Identifier: MIT */
/*
 * Blocks that are given back by the wrong function, and C++ containers used beyond their end.
 *
 * RUN    -DNEW_FREE plait test -s dpor
 * EXPECT heap-bounds message~block.from.new.is.given.back.by.free
 *
 * RUN    -DARRAY_DELETE plait test -s dpor
 * EXPECT heap-bounds message~block.from.new...is.given.back.by.delete
 *
 * RUN    -DNEW_DELETE_ARRAY plait test -s dpor
 * EXPECT heap-bounds message~block.from.new.is.given.back.by.delete..
 *
 * RUN    -DMALLOC_DELETE plait test -s dpor
 * EXPECT heap-bounds message~block.from.malloc...is.given.back.by.delete
 *
 * RUN    -DVECTOR plait test -s dpor
 * EXPECT heap-bounds message~behind.a.block.of.12
 *
 * RUN    -DSTRING plait test -s dpor
 * EXPECT heap-bounds message~behind.a.block
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 */
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

static int n = 3;
static volatile int seen;

/* So that no compiler warns. */
static int *same(int *p)
{
    int *volatile q = p;

    return q;
}

static void use()
{
    int *one = same(new int(1)), *many = same(new int[4]);
    int *plain = same(static_cast<int *>(std::malloc(8)));
    std::vector<int> v{1, 2, 3};
    std::string s(40, 'x');
    std::map<int, std::string> m{{1, "a"}, {2, std::string(50, 'b')}};
    std::deque<int> d(100, 1);
    auto p = std::make_shared<int>(3);

    v.shrink_to_fit();
    s.shrink_to_fit();
    d.push_front(*p);
    seen = v[n - 1] + s[39] + d.front() + static_cast<int>(m.size());
#if defined(VECTOR)
    seen = v.data()[n];
#elif defined(STRING)
    seen = s.data()[38 + n];
#endif
#if defined(NEW_FREE)
    std::free(one);
#elif defined(NEW_DELETE_ARRAY)
    delete[] one;
#else
    delete one;
#endif
#if defined(ARRAY_DELETE)
    delete many;
#else
    delete[] many;
#endif
#if defined(MALLOC_DELETE)
    delete plain;
#else
    std::free(plain);
#endif
}

int main()
{
    std::thread a(use), b([] { seen = 1; });

    a.join();
    b.join();
    return 0;
}
