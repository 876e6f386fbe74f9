export type QueueSort = 'oldest' | 'newest' | 'largest' | 'smallest';

/** The queue's address. Without a status the queue shows what waits; `open` is the request in the side sheet. */
export type QueueSearch = {
  status?: 'approved' | 'rejected' | 'all';
  sort?: QueueSort;
  page?: number;
  q?: string;
  open?: string;
};
