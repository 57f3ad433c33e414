// Be an agent on the official TypeScript SDK: node first_call.mjs SDK ADDRESS AUTHORIZATION TOOL ARGUMENTS; prints the answer.
const [, , sdk, address, authorization, name, given] = process.argv;
const { Client } = await import(`${sdk}/dist/esm/client/index.js`);
const { StreamableHTTPClientTransport } = await import(`${sdk}/dist/esm/client/streamableHttp.js`);

const client = new Client({ name: "typescript", version: "1" }, { capabilities: {} });
const requestInit = { headers: { Authorization: authorization } };
await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
const result = await client.callTool({ name, arguments: JSON.parse(given) });
console.log(result.content.map((part) => part.text).join("\n"));
await client.close();
