export const Paw = () => (
  <svg className="paw" viewBox="0 0 32 32" aria-hidden="true">
    <ellipse cx="16" cy="22" rx="8" ry="7" />
    <ellipse cx="5" cy="14" rx="3" ry="4" />
    <ellipse cx="12" cy="7" rx="3" ry="4.5" />
    <ellipse cx="20" cy="7" rx="3" ry="4.5" />
    <ellipse cx="27" cy="14" rx="3" ry="4" />
  </svg>
);
