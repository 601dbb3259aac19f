schedule=[
  {"date": "June 17, 2026", "day": "Wednesday", "slots": [
    {"slot_id": "Wednesday_8_30", "time": "8:30 - 10:00", "slot_class": "keynote", "sessions": [{"session": "k1", "room": "Copper Hall"}]},
    {"slot_id": "Wednesday_10_00", "time": "10:00 - 10:30", "slot_class": "break", "sessions": [{"session": "b1", "room": ""}]},
    {"slot_id": "Wednesday_10_30", "time": "10:30 - 11:30", "slot_class": "morning", "sessions": [{"session": "s1", "room": "Copper Hall"}, {"session": "x1", "room": ""}]}
  ]}
]
