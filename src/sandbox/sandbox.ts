/** How many animals a sandbox holds: enough to try any client, few enough to be reset while somebody waits for it. */
export const MOST_SANDBOX_PETS = 100_000;
