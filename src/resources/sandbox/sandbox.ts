/** How many animals a sandbox holds: enough to try any client, few enough to be reset while somebody waits for it. */
export const MOST_SANDBOX_PETS = 100_000;

/** Maximum events a sandbox keeps. A reset writes up to 100,000 for one request, so requests alone do not bound them. */
export const MOST_SANDBOX_EVENTS = 1_000_000;
