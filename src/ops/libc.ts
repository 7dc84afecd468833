import { dlopen } from 'bun:ffi';
import { once } from '../kernel/runtime.ts';

export { ptr } from 'bun:ffi';

/** On musl, any library name that starts with `libc.` works, so this name is correct there too. */
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
