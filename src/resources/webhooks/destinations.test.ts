import { describe, expect, test } from 'bun:test';
import { destinationName } from '../../delivery/hosts.memory.ts';

describe('the name of a destination', () => {
  const spellings: [string, string][] = [
    ['https://hooks.example/a?b=c', 'hooks.example:443'],
    ['https://HOOKS.Example/', 'hooks.example:443'],
    ['https://hooks.example./', 'hooks.example:443'],
    ['https://hooks.example:443/', 'hooks.example:443'],
    ['https://hooks.example:0443/', 'hooks.example:443'],
    ['http://hooks.example:443/', 'hooks.example:443'],
    ['http://hooks.example/', 'hooks.example:80'],
    ['https://hooks.example:8443/', 'hooks.example:8443'],
    ['https://bücher.example/', 'xn--bcher-kva.example:443'],
    ['https://b%C3%BCcher.example/', 'xn--bcher-kva.example:443'],
    ['https://0x8.8.8.8/', '8.8.8.8:443'],
    ['https://134744072/', '8.8.8.8:443'],
    ['https://[2001:0DB8::0:1]/', '[2001:db8::1]:443'],
  ];
  test.each(spellings)('of %s is %s', (url, name) => {
    expect(destinationName(url)).toBe(name);
  });
});
