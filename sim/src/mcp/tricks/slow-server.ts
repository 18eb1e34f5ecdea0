/** What tricks share that do something while a call is under way. */

/** Nothing happens. */
export const NONE = [0, 0] as const
/** An honest server that takes its time. */
export const SLOW = {
  call: [{ do: 'wait', ms: 60 }, { do: 'effect' }, { do: 'answer', result: { content: [] } }],
} as const
/** Long enough for a program to have been started and called. */
export const WHILE_MS = 1_500

export async function waitFor(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
