/** Why no manifest can be drafted of an operation, in words; thrown where it is found, caught where drafting began. */
export class RefusedOperation extends Error {
  override readonly name = 'RefusedOperation'
}
