/** Every page: its place, the question that it answers, and the keys that lead there. */
export type PageName =
  | 'overview'
  | 'inbox'
  | 'flows'
  | 'ledger'
  | 'agents'
  | 'monitors'
  | 'executions'
  | 'policies'
  | 'world'
  | 'artifacts'
  | 'tools'
  | 'events'
  | 'settings'

export type PageFacts = {
  readonly title: string
  /** After `g`. */
  readonly key: string
  readonly question: string
  readonly explains: string
  /** Below `/docs`. */
  readonly docs: string
}

export const PAGES: Readonly<Record<PageName, PageFacts>> = {
  overview: {
    title: 'Overview',
    key: 'o',
    question: 'Is everything all right, and where should I look?',
    explains: 'What waits, what was decided, who is at risk. Every figure leads to its list.',
    docs: 'concepts',
  },
  inbox: {
    title: 'Inbox',
    key: 'i',
    question: 'What would happen if I say yes?',
    explains: 'Requests that need a person’s approval. What you approve is exactly what runs.',
    docs: 'guides/escalations',
  },
  flows: {
    title: 'Flows',
    key: 'f',
    question: 'What happened, and why?',
    explains: 'A flow is one task of an agent, from its trigger to its outcome.',
    docs: 'concepts',
  },
  ledger: {
    title: 'Ledger',
    key: 'l',
    question: 'Can I believe this?',
    explains: 'Every decision and effect, chained by hashes and signed. You can verify it here.',
    docs: 'guides/verifying-a-bundle',
  },
  agents: {
    title: 'Agents',
    key: 'a',
    question: 'Who may do what?',
    explains: 'An active agent may do what its signed contract allows.',
    docs: 'concepts',
  },
  monitors: {
    title: 'Monitors',
    key: 'm',
    question: 'Is an agent’s behaviour over time still right?',
    explains:
      'A monitor watches many decisions together, and suspends an agent that leaves its bounds.',
    docs: 'concepts',
  },
  executions: {
    title: 'Executions',
    key: 'e',
    question: 'What was sent to other systems?',
    explains:
      'Calls to other systems. An unknown outcome is looked up again, or settled by a person.',
    docs: 'guides/idempotent-capabilities',
  },
  policies: {
    title: 'Policies',
    key: 'p',
    question: 'Which rules are in force, and what would another have decided?',
    explains: 'The rules in force, whom they hold, and what another rule would have decided.',
    docs: 'guides/policies-in-cedar',
  },
  artifacts: {
    title: 'Artifacts',
    key: 'r',
    question: 'Who changed which part of a file, and what was it then?',
    explains:
      'Files that agents change by symbols, as planned and applied, at any entry of the ledger.',
    docs: 'guides/structural-edits',
  },
  world: {
    title: 'World',
    key: 'w',
    question: 'What was the state of every resource then?',
    explains: 'The state of every resource, computed from the ledger, at any of its entries.',
    docs: 'concepts',
  },
  tools: {
    title: 'Tools',
    key: 't',
    question: 'Which tools can agents call, and are they still the ones that were approved?',
    explains:
      'What agents can call. A tool of an MCP server that has changed is not called until it is approved.',
    docs: 'guides/in-front-of-your-mcp-servers',
  },
  events: {
    title: 'Events',
    key: 'v',
    question: 'Who was woken by what, and whose proposal was carried out?',
    explains:
      'An observation can wake several agents. Where their proposals exclude each other, the rules decide.',
    docs: 'guides/waking-agents',
  },
  settings: {
    title: 'Settings',
    key: 's',
    question: 'How should this console look, and who may use it?',
    explains: 'How the console looks to you, who is told of what, and who may do what here.',
    docs: 'guides/administration',
  },
}

export type PageSection = {
  /** Null: pages that stand alone. */
  readonly title: string | null
  readonly pages: readonly PageName[]
}

/** In the order of the navigation. */
export const SECTIONS: readonly PageSection[] = [
  { title: null, pages: ['overview'] },
  { title: 'Work', pages: ['inbox', 'flows', 'executions', 'events'] },
  { title: 'Rules', pages: ['agents', 'policies', 'monitors', 'tools'] },
  { title: 'Record', pages: ['ledger', 'world', 'artifacts'] },
  { title: null, pages: ['settings'] },
]

export const PAGE_NAMES: readonly PageName[] = SECTIONS.flatMap(({ pages }) => pages)

/** The overview is where an address without a path leads. */
export function getPagePath(name: PageName): string {
  return name === 'overview' ? '/' : `/${name}`
}

/** `/flows/0199…` → page `flows`, id `0199…`; the empty path is the overview. */
export function parsePage(path: string): { readonly page: PageName | null; readonly id: string } {
  const [name = '', ...rest] = path.split('/').filter((part) => part !== '')
  const page = name === '' ? 'overview' : (PAGE_NAMES.find((known) => known === name) ?? null)
  return { page, id: decodePart(rest.join('/')) }
}

/** Whoever writes an address by hand may write half an escape. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
