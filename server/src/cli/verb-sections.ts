/** The sections of `rubicon --help`, and what stands in each, in this order. */
const SECTIONS: readonly { readonly title: string; readonly words: readonly string[] }[] = [
  { title: 'Start:', words: ['quickstart', 'init', 'dev', 'reset', 'open', 'explain', 'doctor'] },
  {
    title: 'Say what agents may do:',
    words: ['contract', 'policy', 'rules', 'recompile', 'monitors', 'tool', 'source', 'writ'],
  },
  {
    title: 'Run and watch:',
    words: ['up', 'shell', 'agents', 'flows', 'escalations', 'executions', 'branch', 'bus'],
  },
  { title: 'People and keys:', words: ['token', 'person', 'keys', 'channels'] },
  {
    title: 'Keep and prove the record:',
    words: ['verify', 'export', 'ledger', 'replay', 'archive', 'erase', 'clock'],
  },
  { title: 'MCP servers and files:', words: ['mcp', 'artifact', 'merge-driver'] },
  { title: 'Other:', words: ['schema', 'demo', 'sim', 'bench', 'help'] },
]

const WORDS: readonly string[] = SECTIONS.flatMap(({ words }) => words)

/** Of a verb, by its first word. */
export function findSection(word: string): string | undefined {
  return SECTIONS.find(({ words }) => words.includes(word))?.title
}

export function compareBySection(a: string, b: string): number {
  return WORDS.indexOf(a) - WORDS.indexOf(b)
}
