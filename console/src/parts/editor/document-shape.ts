/** The members of a document that people write, and what may stand in each: for completion. The server's parser is the law. */
export type Shape = {
  /** What it is, in words. */
  readonly says?: string
  readonly members?: Readonly<Record<string, Shape>>
  /** Of each element of a list. */
  readonly items?: Shape
  /** Of each member of a map whose names are free. */
  readonly each?: Shape
  readonly choices?: readonly string[]
  /** What exists and can be named there. */
  readonly names?: 'kinds' | 'measures' | 'pointers' | 'agents' | 'topics' | 'sources'
  /** What is written for it to begin with. */
  readonly begins?: string
}

export const KINDS: Shape = { items: { names: 'kinds' }, begins: '[]' }
export const FLAG: Shape = { choices: ['true', 'false'] }
