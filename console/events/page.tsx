export const Page = () => <h1>Events</h1>;
