/** Randomness comes in through here. */
export interface Random {
  bytes(length: number): Uint8Array
}
