import { expect, test } from 'bun:test';
import { findServiceTests } from './service-tests.ts';

test('the tests that run on every engine are those of a service and what it stores, and no others', () => {
  const found = findServiceTests();
  expect(found).toContain('src/resources/pets/create-pet.test.ts');
  expect(found).toContain('test/readme.test.ts');
  expect(found).toContain('test/console-pages.test.ts');
  expect(found).not.toContain('test/count-results.test.ts');
  expect(found).not.toContain('test/servers/proxy.test.ts');
  expect(found).not.toContain('cli/commands/run-command.test.ts');
  expect(found).not.toContain('test/browser/console.test.ts');
});
