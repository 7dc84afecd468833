import { dlopen } from 'bun:ffi';
import { once } from '../kernel/runtime.ts';

export { ptr } from 'bun:ffi';

/** This name also works with musl, which accepts any name that starts with `libc.`. */
export const libc = once(
  () =>
    dlopen('libc.so.6', {
      _exit: { args: ['int'], returns: 'void' },
      epoll_ctl: { args: ['int', 'int', 'int', 'ptr'], returns: 'int' },
      getsockname: { args: ['int', 'ptr', 'ptr'], returns: 'int' },
      getsockopt: { args: ['int', 'int', 'int', 'ptr', 'ptr'], returns: 'int' },
      setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
    }).symbols,
);
