/** The scenarios that `rubicon demo` knows, each loaded when it is played. */
import type { ListedScenario } from '../../server/src/demo/stage.ts'

export const SCENARIOS: readonly ListedScenario[] = [
  {
    name: 'comma-catastrophe',
    summary: 'an order a thousand times too large, and a note that says to ignore the limits',
    load: async () => (await import('./comma-catastrophe.ts')).scenario,
  },
  {
    name: 'roa-agent',
    summary: 'explain, policy, self-check, emit: one model, the same facts, two missions',
    load: async () => (await import('./roa-agent.ts')).scenario,
  },
  {
    name: 'idempotency',
    summary: 'one step has one effect: repeated, raced, and killed between effect and record',
    load: async () => (await import('./idempotency.ts')).scenario,
  },
  {
    name: 'dim-gates',
    summary: 'five gates, each refusing one proposal that fails only there, and one that passes',
    load: async () => (await import('./dim-gates.ts')).scenario,
  },
  {
    name: 'dfid-propagation',
    summary: 'four agents, one decision, one id: the audit query tells the whole story',
    load: async () => (await import('./dfid-propagation.ts')).scenario,
  },
  {
    name: 'retry-governor',
    summary: 'an agent that argues: the third rejection ends the flow, restarts do not forgive',
    load: async () => (await import('./retry-governor.ts')).scenario,
  },
  {
    name: 'locks',
    summary:
      'a pool of 100: who gets a share, who is fenced off, and what an unknown outcome blocks',
    load: async () => (await import('./locks.ts')).scenario,
  },
  {
    name: 'escalation',
    summary: 'who is asked: the agent above, then a person, and what neither can approve',
    load: async () => (await import('./escalation.ts')).scenario,
  },
  {
    name: 'saga',
    summary: 'half a job: its agent stops, the one above picks from the menu, nothing is guessed',
    load: async () => (await import('./saga.ts')).scenario,
  },
  {
    name: 'kill-switch',
    summary: 'a contract revoked between acceptance and dispatch: nothing is sent',
    load: async () => (await import('./kill-switch.ts')).scenario,
  },
  {
    name: 'eoam',
    summary: 'one price wakes two agents: risk comes before strategy, whoever is first',
    load: async () => (await import('./eoam.ts')).scenario,
  },
  {
    name: 'dl-pci',
    summary: 'payments that carry their proof: made once, void on another balance or when changed',
    load: async () => (await import('./dl-pci.ts')).scenario,
  },
  {
    name: 'sds',
    summary: 'sixteen decisions under atoms: three prices move meanwhile, one order is none at all',
    load: async () => (await import('./sds.ts')).scenario,
  },
  {
    name: 'selector',
    summary:
      'one runtime, one agent, three ways of deciding at once: the rules say which, by class',
    load: async () => (await import('./selector.ts')).scenario,
  },
  {
    name: 'finance-trading',
    summary:
      'a score of 0.5 opens a position, risk comes first, and each position has its own agent',
    load: async () => (await import('./finance-trading.ts')).scenario,
  },
  {
    name: 'fraud-gate',
    summary:
      'a gate before payments: small and clean passes, large does not, nor who changed since',
    load: async () => (await import('./fraud-gate.ts')).scenario,
  },
  {
    name: 'flight-refund',
    summary:
      'hours late times a rate: a model is held to what the airline owes, and it is paid once',
    load: async () => (await import('./flight-refund.ts')).scenario,
  },
  {
    name: 'insurance-underwriting',
    summary: 'a ceiling that asks a person, places that nobody may insure, and mails that argue',
    load: async () => (await import('./insurance-underwriting.ts')).scenario,
  },
  {
    name: 'refund-claims',
    summary:
      'a model that believes every letter: what was bought, and when, is not the letter’s to say',
    load: async () => (await import('./refund-claims.ts')).scenario,
  },
  {
    name: 'compliant-lie',
    summary: 'a model whose claim keeps every rule and is not true: refused for want of evidence',
    load: async () => (await import('./compliant-lie.ts')).scenario,
  },
  {
    name: 'state-drift',
    summary: 'a price that moved since the agent looked: nothing is sent, and it looks again',
    load: async () => (await import('./state-drift.ts')).scenario,
  },
  {
    name: 'agent-registry',
    summary: 'who may work here: handshakes, versions, a suspension, and a registry out of reach',
    load: async () => (await import('./agent-registry.ts')).scenario,
  },
  {
    name: 'context-store',
    summary:
      'what an agent is shown: four layers, a window, a budget, the same snapshot everywhere',
    load: async () => (await import('./context-store.ts')).scenario,
  },
  {
    name: 'discount-drift',
    summary: 'offers that all keep the cap and together give the margin away: the mean stops them',
    load: async () => (await import('./discount-drift.ts')).scenario,
  },
  {
    name: 'semantic-drift',
    summary: 'small refunds for whoever cries loudest: an auditor reads, a monitor counts',
    load: async () => (await import('./semantic-drift.ts')).scenario,
  },
  {
    name: 'environmental-drift',
    summary: 'the market turns, the agent does not: five cycles at a loss stop it',
    load: async () => (await import('./environmental-drift.ts')).scenario,
  },
  {
    name: 'credit-limits',
    summary:
      'a claimed income that no statement shows, and an officer who approves almost everybody',
    load: async () => (await import('./credit-limits.ts')).scenario,
  },
  {
    name: 'postgres-store',
    summary: 'the same decisions in memory, on SQLite and on Postgres: equal verdicts, equal World',
    load: async () => (await import('./postgres-store.ts')).scenario,
  },
  {
    name: 'mcp-desk',
    summary:
      'a support agent behind the MCP gateway: a page that argues, a rug pull, a crash, an approval next morning',
    load: async () => (await import('./mcp-desk.ts')).scenario,
  },
  {
    name: 'two-agents-one-class',
    summary: 'two agents, one class: additions land in any order, and who is second is told early',
    load: async () => (await import('./two-agents-one-class.ts')).scenario,
  },
  {
    name: 'config-tree',
    summary: 'a timeout in YAML through its schema: the wrong type is refused, comments stay',
    load: async () => (await import('./config-tree.ts')).scenario,
  },
  {
    name: 'time-scrubber',
    summary: 'thousands of changes: any moment is shown at once, and going back makes a branch',
    load: async () => (await import('./time-scrubber.ts')).scenario,
  },
]
