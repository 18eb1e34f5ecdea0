/** Forms of what goes between processes. What is not known is refused: a member that nobody reads would be taken for one that counts. */
/** Why a value does not have a form, as the place in it; null: it has it. */
export type Form = (value: unknown, at: string) => string | null

export const isText: Form = (value, at) => (typeof value === 'string' ? null : at)

export const isCount: Form = (value, at) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? null : at

export const isAny: Form = (value, at) => (value === undefined ? at : null)

export const isJsonObject: Form = (value, at) => (isRecord(value) ? null : at)

export function listForm(item: Form): Form {
  return (value, at) => {
    if (!Array.isArray(value)) return at
    for (const [index, one] of value.entries()) {
      const problem = item(one, `${at}/${index}`)
      if (problem !== null) return problem
    }
    return null
  }
}

/** A name with `?` may be absent. */
export function recordForm(members: Readonly<Record<string, Form>>): Form {
  const forms = new Map(
    Object.entries(members).map(([name, form]) => [
      name.replace('?', ''),
      { form, isNeeded: !name.endsWith('?') },
    ]),
  )
  return (value, at) => {
    if (!isRecord(value)) return at
    for (const name of Object.keys(value)) if (!forms.has(name)) return `${at}/${name}`
    for (const [name, { form, isNeeded }] of forms) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined
      if (member === undefined && !isNeeded) continue
      const problem = form(member, `${at}/${name}`)
      if (problem !== null) return problem
    }
    return null
  }
}

export function allowNull(form: Form): Form {
  return (value, at) => (value === null ? null : form(value, at))
}

export function allowWords(...words: readonly string[]): Form {
  return (value, at) => (typeof value === 'string' && words.includes(value) ? null : at)
}

/** By the word that a member says. */
export function chooseForm(member: string, forms: Readonly<Record<string, Form>>): Form {
  return (value, at) => {
    if (!isRecord(value)) return at
    const word = value[member]
    const form = typeof word === 'string' && Object.hasOwn(forms, word) ? forms[word] : undefined
    return form === undefined ? `${at}/${member}` : form(value, at)
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
