/** What is typed most often, for the end of `rubicon VERB --help` and the page of commands. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  init: ['rubicon init my-agent'],
  dev: ['rubicon dev', 'rubicon dev my-agent --port 7421'],
  open: ['rubicon open', 'rubicon open quickstart'],
  up: [
    'rubicon up --demo',
    'rubicon up --rules rules.ts',
    'rubicon up --rules rules.ts --accept-rules sha256:…',
    'rubicon up --rules rules.ts --public-url https://rubicon.example.com --proxy-hops 1',
  ],
  explain: ['rubicon explain LIMIT_EXCEEDED'],
  doctor: ['rubicon doctor', 'rubicon doctor --fix'],
  token: ['rubicon token', 'rubicon token ann@example.com --role approver,auditor'],
  shell: ['rubicon shell', 'rubicon shell http://127.0.0.1:7421'],
  'contract check': ['rubicon contract check refunds-bot.yaml --rules rules.ts'],
  'contract deploy': ['rubicon contract deploy refunds-bot.yaml'],
  'policy check': ['rubicon policy check --rules rules.ts', 'rubicon policy check desk.cedar'],
  'policy save': ['rubicon policy save --out cases', 'rubicon policy save --out cases --last 100'],
  'policy test': [
    'rubicon policy test cases/*.json --rules rules.ts',
    'rubicon policy test cases/*.json --rules rules.ts --update',
  ],
  recompile: ['rubicon recompile main --rules rules.ts'],
  'agents suspend': ['rubicon agents suspend refunds_bot --reason "odd refunds"'],
  'flows list': ['rubicon flows', 'rubicon flows list --agent refunds_bot'],
  'escalations list': ['rubicon escalations', 'rubicon escalations list --in closed'],
  'escalations resolve': [
    'rubicon escalations resolve ID --decision approve --by ann@example.com --justification "the order was lost"',
  ],
  'executions resolve': [
    'rubicon executions resolve DFID --outcome applied --evidence "refund re_1 stands in the account" --reason "looked it up"',
  ],
  verify: [
    'rubicon verify',
    'rubicon verify ledger.ndjson',
    'rubicon verify refund.bundle.json --trust checkpoint.txt',
  ],
  export: ['rubicon export DFID refund.bundle.json'],
  'keys register': [
    'rubicon keys register --purpose agent --subject refunds_bot --out refunds-bot.key',
  ],
  'source add': ["rubicon source add crm --label operator --paths 'customers.*'"],
  'channels add': [
    'rubicon channels add ops --kind webhook --url https://hooks.example.com/rubicon',
  ],
  'mcp init': [
    'rubicon mcp init',
    'rubicon mcp init --apply',
    'rubicon mcp init --apply --client .mcp.json -- npx mcp-server-filesystem notes',
  ],
  'mcp approve': ['rubicon mcp approve files read_text_file --class read'],
}
