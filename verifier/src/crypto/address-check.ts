import { type Address, computeAddressOfText, type Sha256 } from 'rubicon-kernel'

/** Is this the address of this text? */
export type Question = {
  readonly type: string
  readonly text: string
  readonly claimed: Address
}

/** Many questions at a time, so that another thread can work on them meanwhile. */
export interface AddressCheck {
  /** The answers stand in the order of the questions, for whoever calls what this returns. */
  readonly ask: (questions: readonly Question[]) => () => readonly boolean[]
}

/** In this thread alone. */
export function createAddressCheck(sha256: Sha256): AddressCheck {
  return {
    ask: (questions) => () => questions.map((question) => isAddressed(question, sha256)),
  }
}

export function isAddressed({ type, text, claimed }: Question, sha256: Sha256): boolean {
  return computeAddressOfText(type, text, sha256) === claimed
}
