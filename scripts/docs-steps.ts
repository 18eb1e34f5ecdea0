/**
 * What a reader of a page does, in order: files that are written, commands that are typed, what is
 * then seen, and what is done by hand.
 *
 * A fence says it: `ts agent.ts` is a file, `sh` a command, `sh stays` one that goes on, `text` what
 * was printed since. `shown` keeps a block from being tried. `<!-- try: NAME -->` is done by hand.
 */
export type Step = { readonly line: number } & (
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'run' | 'start'; readonly command: string }
  | { readonly kind: 'seen'; readonly text: string }
  | { readonly kind: 'hand'; readonly name: string }
)

const FENCE = /^```(\S*) ?(.*)$/
const HAND = /^<!-- try: (.+) -->$/

export function parseSteps(page: string): readonly Step[] {
  const steps: Step[] = []
  const lines = page.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const hand = HAND.exec(line)
    if (hand !== null) steps.push({ kind: 'hand', name: hand[1] ?? '', line: index + 1 })
    const fence = FENCE.exec(line)
    if (fence === null) continue
    const end = lines.indexOf('```', index + 1)
    if (end < 0) throw new Error(`line ${index + 1}: the block does not end`)
    const text = lines.slice(index + 1, end).join('\n')
    const step = parseStep(fence[1] ?? '', fence[2] ?? '', text, index + 1)
    if (step !== null) steps.push(step)
    index = end
  }
  return steps
}

function parseStep(language: string, mark: string, text: string, line: number): Step | null {
  if (mark === 'shown') return null
  if (language === 'text') return { kind: 'seen', text, line }
  if (language === 'sh' && mark === '') return { kind: 'run', command: text, line }
  if (language === 'sh' && mark === 'stays') return { kind: 'start', command: text, line }
  if (/^[\w.-]+\.\w+$/.test(mark)) return { kind: 'file', path: mark, text: `${text}\n`, line }
  throw new Error(`line ${line}: \`${language} ${mark}\` says neither what it is nor \`shown\``)
}
