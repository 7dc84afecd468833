export const Page = () => <h1>Orders</h1>;
