/** Every page: its place, the question that it answers, and the keys that lead there. */
export type PageName =
  | 'inbox'
  | 'flows'
  | 'ledger'
  | 'agents'
  | 'monitors'
  | 'executions'
  | 'policies'
  | 'artifacts'

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
  inbox: {
    title: 'Inbox',
    key: 'i',
    question: 'What would happen if I say yes?',
    explains: 'Requests that the rules do not decide alone. What you approve is what runs.',
    docs: 'guides/escalations',
  },
  flows: {
    title: 'Flows',
    key: 'f',
    question: 'What happened, and why?',
    explains: 'A flow is one decision of an agent, from what woke it to what came of it.',
    docs: 'concepts',
  },
  ledger: {
    title: 'Ledger',
    key: 'l',
    question: 'Can I believe this?',
    explains: 'Every decision and effect, chained by hashes and signed. Check it here, yourself.',
    docs: 'guides/verifying-a-bundle',
  },
  agents: {
    title: 'Agents',
    key: 'a',
    question: 'Who may do what?',
    explains: 'An agent may do what its signed contract says, while it is active.',
    docs: 'concepts',
  },
  monitors: {
    title: 'Monitors',
    key: 'm',
    question: 'Is the sum of it still right?',
    explains: 'Each decision can be right and the whole wrong. Monitors watch the whole.',
    docs: 'concepts',
  },
  executions: {
    title: 'Executions',
    key: 'e',
    question: 'What reached the outside?',
    explains: 'Effects on the outside. What is unknown is asked for again, or settled by a person.',
    docs: 'guides/idempotent-capabilities',
  },
  policies: {
    title: 'Policies',
    key: 'p',
    question: 'What would another rule have decided?',
    explains:
      'Past decisions, judged again under rules that you edit. Nothing is recorded or sent.',
    docs: 'guides/policies-in-cedar',
  },
  artifacts: {
    title: 'World',
    key: 'w',
    question: 'What did the world look like then?',
    explains: 'The world is a fold over the ledger: any moment of it can be shown.',
    docs: 'concepts',
  },
}

export const PAGE_NAMES: readonly PageName[] = [
  'inbox',
  'flows',
  'ledger',
  'agents',
  'monitors',
  'executions',
  'policies',
  'artifacts',
]

/** `/flows/0199…` → page `flows`, id `0199…`; the empty path is the inbox. */
export function parsePage(path: string): { readonly page: PageName | null; readonly id: string } {
  const [name = '', ...rest] = path.split('/').filter((part) => part !== '')
  const page = name === '' ? 'inbox' : (PAGE_NAMES.find((known) => known === name) ?? null)
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
