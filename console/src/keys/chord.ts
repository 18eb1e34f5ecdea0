/**
 * From key presses to what they mean. Two keys in a row are a chord (`g i`); the first waits a moment
 * for the second.
 */
export type Binding = {
  /** `j`, `enter`, `g i`, `mod+k` */
  readonly keys: string
  readonly does: string
  readonly run: () => void
}

export type Pressed = {
  readonly key: string
  readonly mod: boolean
  /** In a field that takes text. */
  readonly typing: boolean
}

const WAITS_MS = 1_200

export class Chords {
  #first: { readonly key: string; readonly at: number } | null = null

  /** The binding that was meant, if any. The last that was bound wins. */
  press({ key, mod, typing }: Pressed, at: number, bindings: readonly Binding[]): Binding | null {
    const name = `${mod ? 'mod+' : ''}${key.length === 1 ? key : key.toLowerCase()}`
    if (typing && !mod) return null
    const first = this.#first
    this.#first = null
    const chord = first !== null && at - first.at < WAITS_MS ? `${first.key} ${name}` : name
    const meant = bindings.findLast(({ keys }) => keys === chord)
    if (meant !== undefined) return meant
    if (bindings.some(({ keys }) => keys.startsWith(`${name} `))) this.#first = { key: name, at }
    return null
  }
}
