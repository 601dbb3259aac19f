var scheduleData = [
    {
        "id": "wednesday", "day": "Wednesday", "date": "Wednesday, June 17, 2026",
        "events": [
            {"startTime": "09:00", "endTime": "09:30", "event": "Registration", "talks": null, "url": null, "venue": ""},
            {"startTime": "10:00", "endTime": "10:50", "event": "A", "url": null, "venue": "", "talks": {
                "tracks": [{"name": "Copper Hall", "extra": null}, {"name": "Foyer", "extra": "online"}],
                "slots": [
                    {"startTime": "10:00", "endTime": "10:25", "papers": [7, null]},
                    {"startTime": "10:25", "endTime": "10:50", "papers": ["", 9]}
                ]
            }},
            {"startTime": "11:00", "endTime": null, "event": "Plenary on Branches", "talks": null, "url": "https://jam.example/plenary.html?speaker=larch", "venue": "Copper Hall"}
        ]
    }
]

var posterData = [
    {"name": "Posters", "date": "Wednesday, June 17, 2026", "startTime": "18:00", "endTime": "19:00", "papers": [12]}
]
