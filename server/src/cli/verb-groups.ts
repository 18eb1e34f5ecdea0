/** Verbs of two words, by the first of them: what they are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  contract: 'contracts of agents: check, deploy, diff, revoke',
  agents: 'registered agents: who they are, and whether they may act',
  keys: 'registered public keys',
  writ: 'writs: signed documents that say what an agent may do',
  flows: 'flows: one task of an agent each, from its trigger to its outcome',
  person: 'people, with their names and logins',
  source: 'who may report facts: feeds, desks, systems of record',
  channels: 'notification channels: where people are told',
  escalations: 'requests that wait for a person',
  executions: 'effects: what was sent to other systems, and what came of it',
  monitors: 'bounds on what an agent does over many executions',
  bus: 'messages to other processes that could not be sent',
  policy: 'policies: check, test',
  tool: 'tools from manifests: list, check, add, import',
  mcp: 'the gateway in front of MCP servers: init, tools, approve, learn, eject',
  artifact:
    'files by their structure: show, symbols, apply, undo, diff; list, changes, plans of a server',
  'merge-driver': 'merging in git by symbols: install, uninstall, run',
  ledger: 'the ledger: show, export',
  archive: 'move what ended flows said out of the store into files: create, restore, list',
  clock: 'the clock of the machine that the runtime runs on',
}
