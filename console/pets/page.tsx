export const Page = () => <h1>Pets</h1>;
