export const Page = () => <h1>Health</h1>;
