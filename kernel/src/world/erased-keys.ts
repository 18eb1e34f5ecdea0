import { LayeredMap } from './layered-map.ts'

/** By key, in hex: the resources of which only the leaf is known, and of which not even that. */
export class ErasedKeys {
  private readonly keys: LayeredMap<'leaf' | 'unknown'>
  /** How many there are, and of how many the leaf is not known. */
  size: number
  unknown: number

  constructor(keys: LayeredMap<'leaf' | 'unknown'> = new LayeredMap(), size = 0, unknown = 0) {
    this.keys = keys
    this.size = size
    this.unknown = unknown
  }

  has(key: string): boolean {
    return this.keys.get(key) !== undefined
  }

  set(key: string, as: 'leaf' | 'unknown'): void {
    this.delete(key)
    this.keys.set(key, as)
    this.size += 1
    if (as === 'unknown') this.unknown += 1
  }

  delete(key: string): void {
    const before = this.keys.get(key)
    if (before === undefined) return
    this.keys.delete(key)
    this.size -= 1
    if (before === 'unknown') this.unknown -= 1
  }

  copy(): ErasedKeys {
    return new ErasedKeys(this.keys.copy(), this.size, this.unknown)
  }
}
