/** The forms of payloads that were met, by kind: a few of each, those that were met last. */
import type { JsonValue } from 'rubicon-kernel'
import { type MemberPlaces, PLACES } from './canonical-scan.ts'
import { findSlots, isPlain, TextForm } from './text-form.ts'

export type KnownForms = {
  /** What a well-formed text means, if it is surely canonical: it has a form that is known. */
  readonly find: (kind: string, text: string) => TextForm | undefined
  /** `members`: of a text that was found canonical, which stands in theirs from `from` on. */
  readonly learn: (
    kind: string,
    text: string,
    value: JsonValue,
    members: MemberPlaces,
    from: number,
  ) => void
}

const FORMS_OF_A_KIND = 8
/** A longer text costs too much to be kept on the chance that another one is alike. */
const LONGEST = 65_536
/** Learning takes as long as reading ten times: where nothing is alike it is rarely tried. */
const FIRST_TRIES = 64
const TRIED_EVERY = 16

type Kind = { readonly forms: TextForm[]; unknown: number }

export function createKnownForms(): KnownForms {
  const kinds = new Map<string, Kind>()
  return {
    find(kind, text) {
      const forms = kinds.get(kind)?.forms
      if (forms === undefined || !isPlain(text)) return undefined
      for (let i = 0; i < forms.length; i += 1) {
        const form = forms[i]
        if (form?.isFormOf(text) !== true) continue
        if (i > 0) forms.unshift(...forms.splice(i, 1))
        return form
      }
      return undefined
    },
    learn(kind, text, value, members, from) {
      const known = kinds.get(kind) ?? { forms: [], unknown: 0 }
      kinds.set(kind, known)
      known.unknown += 1
      const isTried = known.unknown <= FIRST_TRIES || known.unknown % TRIED_EVERY === 0
      if (!isTried || text.length > LONGEST) return
      const slots = findSlots(text, value)
      if (slots === undefined) return
      const places = members.places
        .slice(0, members.length)
        .map((place, i) => (i % PLACES === 0 ? place : place - from))
      const { forms } = known
      const like = forms.findIndex(({ frame }) => frame === slots.frame)
      const form =
        forms[like]?.widenForm(slots, places) ??
        new TextForm(
          slots,
          slots.list.map(() => false),
          places,
        )
      if (like >= 0) forms.splice(like, 1)
      forms.unshift(form)
      forms.length = Math.min(forms.length, FORMS_OF_A_KIND)
    },
  }
}
