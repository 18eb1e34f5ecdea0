/** What a resource of World is found by. */
export type ResourceRef = { readonly kind: string; readonly id: string }
