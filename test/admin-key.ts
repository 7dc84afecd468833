export const ADMIN_KEY = 'an-admin-key-for-the-tests';
