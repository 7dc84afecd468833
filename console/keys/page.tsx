export const Page = () => <h1>Keys</h1>;
