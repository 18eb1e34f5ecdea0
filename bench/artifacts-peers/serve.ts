/** Answers one file after the other: a line of JSON comes in, a line goes out. */
import { createInterface } from 'node:readline'

export type AskedEdit = {
  readonly op: 'add' | 'replace' | 'rename' | 'remove'
  readonly kind: string
  readonly own: readonly [start: number, end: number]
  readonly body: readonly [start: number, end: number] | null
  readonly nameAt: number | null
  readonly text: string
  readonly keys: readonly (string | number)[]
  readonly value: unknown
  readonly after?: string | null
  readonly sites?: readonly number[]
}

export type Asked = {
  readonly name: string
  readonly text: string
  readonly edits: readonly AskedEdit[]
}

export type Made = { readonly text: string } | { readonly error: string }

export async function serve(answer: (asked: Asked) => object): Promise<void> {
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`)
}

/** Each edit on the file as it came. What it throws is why it was not done. */
export function serveEdits(make: (asked: Asked, edit: AskedEdit) => string): Promise<void> {
  return serve((asked) => ({
    results: asked.edits.map((edit): Made => {
      try {
        return { text: make(asked, edit) }
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) }
      }
    }),
  }))
}
