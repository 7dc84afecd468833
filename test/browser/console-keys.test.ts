import { describe, expect } from 'bun:test';
import { startConsole } from './console.ts';

const shop = startConsole();
const { inChromium, open } = shop;

describe('the page of keys', () => {
  inChromium('issues a key that is shown once and works, shows its requests, and revokes it', async () => {
    const { page } = await open('/keys');
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const form = page.getByRole('dialog', { name: 'Issue a key' });
    await form.getByLabel('Name', { exact: true }).fill('Partner');
    await form.getByLabel('Plan').selectOption('free');
    await form.getByRole('button', { name: 'Issue the key' }).click();
    const shown = page.getByRole('dialog', { name: 'A new key' });
    // What is shown once is not lost by a click that went astray.
    await shown.waitFor();
    await page.mouse.click(5, 5);
    const secret = await shown.locator('code').first().innerText();
    expect(secret).toMatch(/^ps_live_[0-9A-Za-z]{36}$/);
    expect(await shown.locator('code').nth(1).innerText()).toContain(
      `/v1/pets?limit=5' -H 'Authorization: Bearer ${secret}'`,
    );
    await shown.getByRole('button', { name: 'I have kept it' }).click();

    await page.getByRole('row', { name: /Partner/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Partner' });
    await drawer.getByText('0 of 60', { exact: false }).waitFor();
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await shop.service.get('/v1/pets', { key: secret })).status).toBe(200);
    }
    await drawer.getByText('3 of 60', { exact: false }).waitFor();
    expect(new URL(page.url()).searchParams.get('key')).toMatch(/^key_/);

    await drawer.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke Partner?' });
    expect(await question.getByRole('button', { name: 'Revoke the key' }).isDisabled()).toBe(true);
    await question.getByLabel('Type "Partner" to go on').fill(' Partner ');
    await question.getByRole('button', { name: 'Revoke the key' }).click();
    await drawer.getByText('✕ revoked').waitFor();
    expect((await shop.service.get('/v1/pets', { key: secret })).status).toBe(401);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Partner.*revoked/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  inChromium('says beside the field what the service refuses, changes a plan, rotates and lifts a ban', async () => {
    const key = await shop.service.issueKey({
      name: 'Busy',
      plan: 'enterprise',
      limits: { perMinute: 2, perDay: 100 },
    });
    for (let sent = 0; sent < 4; sent += 1) await shop.service.get('/v1/pets', { key });
    const { page } = await open('/keys');
    await page.getByRole('row', { name: /Busy.*banned/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Busy' });
    await drawer.getByRole('button', { name: 'Lift the ban' }).click();
    await drawer.getByText('● live').waitFor();
    await drawer.getByLabel('Name', { exact: true }).fill('   ');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByRole('alert').first().waitFor();
    await drawer.getByLabel('Name', { exact: true }).fill('Calm');
    await drawer.getByLabel('Plan').selectOption('pro');
    await drawer.getByRole('button', { name: 'Save' }).click();
    const calm = page.getByRole('dialog', { name: 'Calm' });
    await calm.getByText(/of 300/).waitFor();
    await calm.getByRole('button', { name: 'Rotate' }).click();
    const fresh = await calm.locator('.secret code').first().innerText();
    expect((await shop.service.get('/v1/pets', { key: fresh })).status).toBe(200);
    expect((await shop.service.get('/v1/pets', { key })).status).toBe(200);
  });

  inChromium('shows others their own key alone', async () => {
    const key = await shop.service.issueKey({ name: 'Reader', scopes: ['pets:read'] });
    const { page } = await open('/keys', { key });
    await page.getByRole('heading', { name: 'Reader' }).waitFor();
    expect(await page.getByRole('button', { name: 'Issue a key' }).count()).toBe(0);
    await page.getByText('This minute', { exact: true }).waitFor();
  });
});
