/** Whether a text of the address bar is the id of a request, in small letters. */
export const isRequestId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The beginning of a request's id, by which members name it and operators find it. */
export const numberOf = (id: string) => id.slice(0, 8);
