export const Page = () => <h1>Overview</h1>;
