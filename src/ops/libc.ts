import { dlopen } from 'bun:ffi';
import { once } from '../kernel/runtime.ts';

export { ptr } from 'bun:ffi';

/** musl accepts any name that starts with `libc.`, so this name works on musl too. */
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
