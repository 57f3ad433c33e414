// Be a client of the official TypeScript SDK: node typescript_client.mjs SDK ADDRESS TOKEN; prints one JSON value a line.
const [, , sdk, address, token] = process.argv;
const { Client } = await import(`${sdk}/dist/esm/client/index.js`);
const { StreamableHTTPClientTransport } = await import(`${sdk}/dist/esm/client/streamableHttp.js`);

const say = (value) => console.log(JSON.stringify(value));
const headers = { Authorization: `Bearer ${token}` };
const client = new Client({ name: "typescript", version: "1" }, { capabilities: {} });
await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
say((await client.listTools()).tools.map((tool) => tool.name));
const erase = (name) => ({ name: "erase", arguments: { name } });
for await (const message of client.experimental.tasks.callToolStream(erase("as a task"))) {
  say(message.type);
  if (message.type === "result") say(message.result.content[0].text);
}
for (let result = { content: [{ text: "Pending" }] }; result.content[0].text.startsWith("Pending"); ) {
  result = await client.callTool(erase("as a call"));
  say(result.content[0].text.split(":")[0]);
}
await client.close();
