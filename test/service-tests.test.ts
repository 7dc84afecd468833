import { expect, test } from 'bun:test';
import { findServiceTests } from './service-tests.ts';

test('only tests that use a service and its storage run on every engine', () => {
  const found = findServiceTests();
  expect(found).toContain('src/resources/pets/create-pet.test.ts');
  expect(found).toContain('test/readme.test.ts');
  expect(found).toContain('test/console-pages.test.ts');
  expect(found).not.toContain('test/count-results.test.ts');
  expect(found).not.toContain('test/servers/proxy.test.ts');
  expect(found).not.toContain('cli/commands/run-command.test.ts');
  expect(found).not.toContain('test/browser/console.test.ts');
});
