/** Verbs of two words, by the first of them: what they are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  contract: 'contracts of agents: check, deploy, diff, revoke',
  agents: 'registered agents: list, show, suspend, reactivate, retire, kill, spawn',
  keys: 'registered public keys',
  writ: 'writs: signed documents that say what an agent may do',
  flows: 'flows: the tasks of agents, each from its trigger to its outcome',
  person: 'people, with their names and logins',
  source: 'sources of facts: which program may report which paths',
  channels: 'notification channels: webhooks, Slack, mail',
  escalations: 'requests that wait for a person',
  executions: 'effects: what was sent to other systems, and the outcomes',
  monitors: 'bounds on what an agent does over many executions',
  bus: 'messages to other processes that could not be sent',
  policy: 'policies: check, save, test',
  tool: 'tools from manifests: list, check, add, import',
  mcp: 'the gateway in front of MCP servers: init, tools, approve, learn, eject',
  artifact:
    'files, read and changed by symbol: show, symbols, apply, undo, diff; with a server: list, changes, plans',
  'merge-driver': 'merging in git by symbols: install, uninstall, run',
  ledger: 'the ledger: show, export',
  archive: 'move the payloads of ended flows from the store into files: create, restore, list',
  clock: 'the clock of the machine that the runtime runs on',
}
