/**
 * The canonical texts of the members of a payload, which hashes and signatures cover. Where the payload was
 * found canonical by looking they are cut from its text; else they are written.
 */
import { assert, isObject, type JsonObject, type JsonValue, toCanonicalText } from 'rubicon-kernel'
import { type MemberPlaces, PLACES } from './canonical-scan.ts'

export interface MemberTexts {
  getText(name: string, inner?: string): string
  /** Of a member that is an object, without some of its members. */
  getTextWithout(name: string, left: readonly string[]): string
}

export function writeMemberTexts(payload: JsonObject): MemberTexts {
  const getMember = (name: string): JsonValue => payload[name] ?? null
  return {
    getText: (name, inner) => {
      const outer = getMember(name)
      if (inner === undefined) return toCanonicalText(outer)
      return toCanonicalText(isObject(outer) ? (outer[inner] ?? null) : null)
    },
    getTextWithout(name, left) {
      const outer = getMember(name)
      const kept = Object.entries(isObject(outer) ? outer : {}).filter(
        ([one]) => !left.includes(one),
      )
      return toCanonicalText(Object.fromEntries(kept))
    },
  }
}

const OUTER = 1

/** What is not there is null, as above. Asked before the next text is walked over. */
export function cutTexts(places: MemberPlaces): MemberTexts {
  return new CutTexts(places)
}

class CutTexts implements MemberTexts {
  private readonly members: MemberPlaces

  constructor(members: MemberPlaces) {
    this.members = members
  }

  getText(name: string, inner?: string): string {
    const outer = this.find(name)
    if (outer < 0) return 'null'
    if (inner === undefined) return this.getValueText(outer)
    for (let at = outer + PLACES; this.isInner(at); at += PLACES)
      if (this.isAt(at, OUTER + 1, inner)) return this.getValueText(at)
    return 'null'
  }

  getTextWithout(name: string, left: readonly string[]): string {
    const { text, places } = this.members
    let kept = ''
    /** Members that stand side by side are cut out together, from the quote before the first name. */
    let start = -1
    let end = -1
    const cut = (): void => {
      if (start >= 0) kept += `${kept === '' ? '' : ','}${text.slice(start, end)}`
      start = -1
    }
    const outer = this.find(name)
    for (let at = outer + PLACES; outer >= 0 && this.isInner(at); at += PLACES) {
      if (left.some((one) => this.isAt(at, OUTER + 1, one))) {
        cut()
        continue
      }
      if (start < 0) start = (places[at + 1] ?? 0) - 1
      end = places[at + 4] ?? 0
    }
    cut()
    return `{${kept}}`
  }

  private find(name: string): number {
    assert(this.members.isCurrent(), 'members are cut from a text before another is walked over')
    const { length } = this.members
    for (let at = 0; at < length; at += PLACES) if (this.isAt(at, OUTER, name)) return at
    return -1
  }

  private isAt(at: number, depth: number, name: string): boolean {
    const { text, places } = this.members
    const start = places[at + 1] ?? 0
    if (places[at] !== depth || (places[at + 2] ?? 0) - start !== name.length) return false
    return text.startsWith(name, start)
  }

  private isInner(at: number): boolean {
    return at < this.members.length && (this.members.places[at] ?? OUTER) > OUTER
  }

  private getValueText(at: number): string {
    const { text, places } = this.members
    return text.slice(places[at + 3], places[at + 4])
  }
}
