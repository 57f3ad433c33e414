// Be a client of the official TypeScript SDK: node typescript_client.mjs SDK CALLS ADDRESS TOKEN, or SDK CALLS COMMAND...
// CALLS are names of tools with their arguments, as JSON. Prints the names of all tools, then the text of each result.
const [, , sdk, calls, target, ...words] = process.argv;
const { Client } = await import(`${sdk}/dist/esm/client/index.js`);

async function transport() {
  if (target.startsWith("http")) {
    const { StreamableHTTPClientTransport } = await import(`${sdk}/dist/esm/client/streamableHttp.js`);
    return new StreamableHTTPClientTransport(new URL(target), {
      requestInit: { headers: { Authorization: `Bearer ${words[0]}` } },
    });
  }
  const { StdioClientTransport } = await import(`${sdk}/dist/esm/client/stdio.js`);
  return new StdioClientTransport({ command: target, args: words, env: process.env });
}

const say = (value) => console.log(JSON.stringify(value));
const client = new Client({ name: "typescript", version: "1" }, { capabilities: {} });
await client.connect(await transport());
say((await client.listTools()).tools.map((tool) => tool.name));
for (const [name, given] of Object.entries(JSON.parse(calls))) {
  const result = await client.callTool({ name, arguments: given });
  say(result.content.map((part) => part.text ?? "").join(""));
}
await client.close();
